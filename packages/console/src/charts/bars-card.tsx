import { type ReactNode, useState } from 'react'
import { Card, CardHeader } from '../ui/card.tsx'
import { Bars, type BarsProps } from './bars.tsx'
import { Legend } from './legend.tsx'
import { TableToggle } from './table-toggle.tsx'

export interface BarsCardProps extends Omit<BarsProps, 'asTable'> {
  title: ReactNode
  /** More at the end of the title's line. */
  action?: ReactNode
  className?: string | undefined
}

/** Bars with their title, their legend and the way to a table. */
export function BarsCard({ title, action, className, ...bars }: BarsCardProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card className={className}>
      <CardHeader
        action={
          <>
            {!asTable && (
              <span className="max-tablet:hidden">
                <Legend />
              </span>
            )}
            {action}
            <TableToggle asTable={asTable} onChange={setAsTable} />
          </>
        }
        title={title}
      />
      <div className={asTable ? '' : 'px-2.5 pt-3 pb-1.5'}>
        {/* On a phone the legend has a line of its own. */}
        {!asTable && (
          <div className="px-1 pb-2 tablet:hidden">
            <Legend />
          </div>
        )}
        <Bars {...bars} asTable={asTable} />
      </div>
    </Card>
  )
}
