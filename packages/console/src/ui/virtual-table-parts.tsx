import { useMemo } from 'react'
import { Td } from './table.tsx'
import { useDelayed } from './use-delayed.ts'
import { DESK, useMedia } from './use-media.ts'

export type HideBelow = 'phone' | 'tablet' | 'laptop' | 'desk'

/**
 * The columns that the page has room for. They are left out instead of hidden: a heading across all
 * columns would make an empty one of each hidden column.
 */
export function useShownColumns<Column extends { readonly hideBelow?: HideBelow | undefined }>(
  columns: readonly Column[],
): readonly Column[] {
  const phone = useMedia('(min-width: 30rem)')
  const tablet = useMedia('(min-width: 53.8125rem)')
  const laptop = useMedia('(min-width: 68.8125rem)')
  const desk = useMedia(DESK)
  return useMemo(() => {
    const isWide: Record<HideBelow, boolean> = { phone, tablet, laptop, desk }
    return columns.filter(({ hideBelow }) => hideBelow === undefined || isWide[hideBelow])
  }, [columns, phone, tablet, laptop, desk])
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
