import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { ToastProvider } from './toast.tsx'
import { TooltipLayer } from './tooltip-layer.tsx'

/**
 * Goes around the whole console. Base UI adds no `<style>` elements, because the content security
 * policy refuses them.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <ToastProvider>{children}</ToastProvider>
      <TooltipLayer />
    </CSPProvider>
  )
}
