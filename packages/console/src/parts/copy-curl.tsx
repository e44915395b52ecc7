import { Copy } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { useCopy } from '../ui/copy-button.tsx'
import { curlOf } from './curl.ts'

/** Copies the same action for a shell. */
export function CopyCurl({ request }: { readonly request: Parameters<typeof curlOf>[0] }) {
  const { copied, copy } = useCopy()
  return (
    <Button icon={<Copy size={14} strokeWidth={1.5} />} onClick={() => void copy(curlOf(request))}>
      {copied ? 'Copied' : 'Copy as curl'}
    </Button>
  )
}
