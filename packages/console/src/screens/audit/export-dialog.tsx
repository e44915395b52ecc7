import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { ErrorNotice } from '../../page/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatCount } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import { saveFile } from './save-file.ts'
import { NDJSON, useExport } from './use-export.ts'

/** The whole log as a file, and the command that checks it without this gateway. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const head = useQuery(queries.auditHead())
  const { run, stop, lines, isRunning, error } = useExport()
  const size = head.data?.size
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export the audit log to verify it"
      description={
        size === undefined
          ? 'All signed entries, in the format that the command below reads.'
          : `${countOf(size, 'signed entry', 'signed entries')}, in the format that the command below reads.`
      }
      footer={
        <>
          {isRunning ? (
            <p className="mr-auto text-small text-ink-2" role="status">
              {formatCount(lines)} lines
            </p>
          ) : null}
          <Button onClick={isRunning ? stop : onClose}>{isRunning ? 'Stop' : 'Close'}</Button>
          <Button
            busy={isRunning}
            icon={<Download aria-hidden size={14} />}
            onClick={() => void run()}
            variant="primary"
          >
            Download export.ndjson
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        <ErrorNotice title="The export stopped." error={error} onRetry={() => void run()} />
        <div>
          <p className="mb-2">
            You also need the public key of the log. Get it once, through a channel that you trust,
            and keep it. A key that comes together with the export proves nothing.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              disabled={!head.data}
              onClick={() => saveFile('log.vkey', [`${head.data?.keys.join('\n') ?? ''}\n`])}
            >
              Download log.vkey
            </Button>
            <Button
              size="sm"
              disabled={!head.data}
              onClick={() => saveFile('head.note', [head.data?.checkpoint ?? ''])}
            >
              Download head.note
            </Button>
          </div>
        </div>
        <div>
          <p className="mb-2">Check the files, on any machine and without the gateway:</p>
          <Code lang="bash" wrap label="Command to verify">
            npx @purser/audit verify export.ndjson --key log.vkey --head head.note
          </Code>
        </div>
        <div>
          <p className="mb-2">For a large log, let the shell write the file:</p>
          <Code lang="bash" wrap label="Command to export">
            {`curl -f '${location.origin}/api/v1/audit-log' \\
  -H "Authorization: Bearer $PURSER_API_KEY" \\
  -H 'Accept: ${NDJSON}' > export.ndjson`}
          </Code>
        </div>
      </div>
    </Dialog>
  )
}
