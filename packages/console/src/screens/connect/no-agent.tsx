import { Bot } from 'lucide-react'
import { Link } from '../../router/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Without an agent there is no id to fill in. */
export function NoAgent() {
  return (
    <Notice
      icon={<Bot size={16} strokeWidth={1.75} aria-hidden />}
      title="No agents yet."
      action={<Button render={<Link to="/agents" search={{ new: '1' }} />}>Register one</Button>}
    >
      A spend names the agent that makes it. The snippets get its id.
    </Notice>
  )
}
