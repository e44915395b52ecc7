import { Copy, Ellipsis, FileText, History, Trash2 } from 'lucide-react'
import type { Permission } from '../../../data/session.ts'
import { AgentChip } from '../../../parts/agent-chip.tsx'
import { curlOf } from '../../../parts/curl.ts'
import { MandateBadge } from '../../../parts/mandate-badge.tsx'
import { Link } from '../../../router/link.tsx'
import { Button } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toast.tsx'
import { draftBody } from './save/send-draft.ts'
import { storedDraft } from './source.ts'
import type { Editor } from './use-editor.ts'

interface EditorHeaderProps {
  readonly editor: Editor
  readonly agentName: string | null
  readonly may: Permission
  readonly onDelete: (() => void) | undefined
}

/** The name and the state of the edited mandate, and its agent. */
export function EditorHeader({ editor, agentName, may, onDelete }: EditorHeaderProps) {
  const { source, form, base } = editor
  const { copy } = useCopy()
  const id = base?.id ?? storedDraft(source)?.id
  const items: MenuItem[] = [
    {
      label: 'Copy as curl',
      icon: <Copy aria-hidden size={14} />,
      onSelect: () => {
        const text = curlOfSave(editor)
        if (text === undefined) toast('A field needs a value first.')
        else void copy(text).then((done) => done && toast('Copied as curl'))
      },
    },
    ...(id
      ? [
          {
            label: 'Open the mandate',
            icon: <FileText aria-hidden size={14} />,
            render: <Link params={{ id }} to="/mandates/$id" />,
          },
        ]
      : []),
    ...(base
      ? [
          {
            label: 'Versions',
            icon: <History aria-hidden size={14} />,
            render: <Link params={{ id: base.id }} to="/mandates/$id/versions" />,
          },
        ]
      : []),
    ...(onDelete
      ? ([
          'separator',
          {
            label: 'Delete the draft',
            icon: <Trash2 aria-hidden size={14} />,
            danger: true,
            disabledReason: may.reason,
            onSelect: onDelete,
          },
        ] as const)
      : []),
  ]
  return (
    <PageHeader
      after={
        <>
          {base ? <MandateBadge status={base.status} version={base.version} /> : null}
          {base ? <Tag>editing version {base.version + 1}</Tag> : null}
          {source.kind === 'draft' ? <MandateBadge status="draft" /> : null}
        </>
      }
      crumbs={[{ label: 'Mandates', render: <Link to="/mandates" /> }]}
      title={<bdi>{source.kind === 'new' ? 'New mandate' : form.name}</bdi>}
    >
      {agentName === null ? null : (
        <span className="inline-flex min-w-0 max-w-full items-center gap-1.5 text-ink-2">
          for <AgentChip id={form.agentId} name={agentName} />
        </span>
      )}
      {base ? (
        <Button
          className="max-phone:hidden"
          icon={<History aria-hidden size={14} strokeWidth={1.5} />}
          render={<Link params={{ id: base.id }} to="/mandates/$id/versions" />}
        >
          Versions
        </Button>
      ) : null}
      <Menu
        items={items}
        label="More"
        trigger={
          <IconButton icon={<Ellipsis aria-hidden size={16} />} label="More" variant="default" />
        }
      />
    </PageHeader>
  )
}

/** The request that stores the form. */
function curlOfSave({ source, form, read, save }: Editor): string | undefined {
  if (!read.input) return undefined
  const body = draftBody(source, form, read.input)
  const { stored } = save
  if (stored) return curlOf({ method: 'PATCH', path: `/mandates/${stored.id}`, body })
  const draftOf = source.kind === 'next' ? { draftOf: source.base.id } : {}
  return curlOf({ method: 'POST', path: '/mandates', body: { ...draftOf, ...body } })
}
