import { Code } from '../../../ui/code.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** Nothing is sent yet, and how to follow events without a server. */
export function NoUrl() {
  return (
    <div className="grid gap-2.5">
      <Notice title="Nothing is sent yet.">
        Enter the URL of your server, or follow events without a server:
      </Notice>
      <Code label="Follow events" lang="bash">
        {[
          `curl -N '${location.origin}/api/v1/events' \\`,
          `  -H 'Accept: text/event-stream' \\`,
          `  -H "Authorization: Bearer $PURSER_API_KEY"`,
        ].join('\n')}
      </Code>
    </div>
  )
}
