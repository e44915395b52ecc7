import { Copy } from 'lucide-react'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { useCopy } from '../ui/copy-button.tsx'
import { curlOf } from './curl.ts'

interface CopyCurlProps extends Pick<ButtonProps, 'size' | 'variant' | 'disabledReason'> {
  readonly request: Parameters<typeof curlOf>[0]
}

/** Copies the same action for a shell. */
export function CopyCurl({ request, ...look }: CopyCurlProps) {
  const { copied, copy } = useCopy()
  return (
    <Button
      icon={<Copy size={14} strokeWidth={1.5} />}
      onClick={() => void copy(curlOf(request))}
      {...look}
    >
      {copied ? 'Copied' : 'Copy as curl'}
    </Button>
  )
}
