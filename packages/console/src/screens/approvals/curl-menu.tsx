import { Copy, Ellipsis } from 'lucide-react'
import { curlOf } from '../../parts/curl.ts'
import { useCopy } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'

/** On a phone the answer needs the width, so the copy for a shell is in a menu. */
export function CurlMenu({ request }: { readonly request: Parameters<typeof curlOf>[0] }) {
  const { copy } = useCopy()
  return (
    <Menu
      items={[
        {
          ...{
            label: 'Copy as curl',
            icon: <Copy aria-hidden="true" size={14} strokeWidth={1.5} />,
          },
          onSelect: () =>
            void copy(curlOf(request)).then((done) => done && toast('Copied as curl.')),
        },
      ]}
      trigger={<IconButton icon={<Ellipsis aria-hidden="true" size={16} />} label="More" />}
    />
  )
}
