import { CSPProvider } from '@base-ui/react/csp-provider'
import { LucideProvider } from 'lucide-react'
import type { ReactNode } from 'react'
import { ToastProvider } from './toast.tsx'
import { TooltipLayer } from './tooltip-layer.tsx'

/**
 * Goes around the whole console. Icons are 16 px with a line of 1.5 px. Base UI adds no `<style>`
 * elements, because the content security policy refuses them.
 */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <LucideProvider absoluteStrokeWidth size={16} strokeWidth={1.5}>
        <ToastProvider>{children}</ToastProvider>
        <TooltipLayer />
      </LucideProvider>
    </CSPProvider>
  )
}
