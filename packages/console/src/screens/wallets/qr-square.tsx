import { QR_SIZE, qrRows } from './qr.ts'

/** The white edge that readers need, in modules. */
const EDGE = 4

/** A QR code. It is dark on white in both themes, because many readers need that. */
export function QrSquare({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = qrRows(text)
  if (!rows) return null
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + EDGE} ${y + EDGE}h1v1h-1z` : '')))
    .join('')
  const size = QR_SIZE + 2 * EDGE
  return (
    <svg
      aria-label={label}
      className="mb-3 block size-44 rounded-2 border border-line forced-color-adjust-none"
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect fill="#fff" height={size} width={size} />
      <path d={path} fill="#000" />
    </svg>
  )
}
