import { Td } from './table.tsx'
import { useDelayed } from './use-delayed.ts'

export type HideBelow = 'phone' | 'tablet' | 'laptop' | 'desk'

const HIDE: Record<HideBelow, string> = {
  phone: 'max-phone:hidden',
  tablet: 'max-tablet:hidden',
  laptop: 'max-laptop:hidden',
  desk: 'max-desk:hidden',
}

export function hideClass(below: HideBelow | undefined): string {
  return below === undefined ? '' : HIDE[below]
}

/** Rows that stand for those on their way, with the same height. */
export function SkeletonRows({ columns }: { columns: number }) {
  const isShown = useDelayed(true)
  const rows = Array.from({ length: 8 }, (_, index) => index)
  return rows.map((row) => (
    <tr key={row}>
      <Td colSpan={columns}>
        <span className={`flex gap-6 ${isShown ? '' : 'invisible'}`}>
          <span className="block h-3 w-14 rounded-1 bg-done-soft" />
          <span className={`block h-3 rounded-1 bg-done-soft ${row % 2 ? 'w-1/3' : 'w-1/4'}`} />
          <span className="ml-auto block h-3 w-20 rounded-1 bg-done-soft" />
          {row === 0 && <span className="sr-only">Loading</span>}
        </span>
      </Td>
    </tr>
  ))
}

/** Keeps the place of rows that are not drawn. */
export function SpaceRow({ columns, height }: { columns: number; height: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row cannot have the focus.
    <tr aria-hidden="true">
      <td className="p-0" colSpan={columns} style={{ height }} />
    </tr>
  )
}
