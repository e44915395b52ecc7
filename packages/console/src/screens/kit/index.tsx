import { type ReactNode, useState } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { KitCharts } from './kit-charts.tsx'
import { KitControls } from './kit-controls.tsx'
import { KitFields } from './kit-fields.tsx'
import { KitLists } from './kit-lists.tsx'
import { KitOverlays } from './kit-overlays.tsx'
import { KitStates } from './kit-states.tsx'
import { KitStatus } from './kit-status.tsx'

/** Every part in every state, to look at and to test. It is no page of the product. */
export function KitScreen() {
  const [theme, setTheme] = useState<'light' | 'dark'>(
    document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light',
  )
  return (
    <main className="m-2 min-w-0 rounded-4 border border-line bg-sheet shadow-1" id="main">
      <PageHeader
        after="status, charts, controls, states"
        crumbs={[{ label: 'Development', href: '#development' }]}
        title="Kit of parts"
      >
        <Segmented
          label="Theme"
          onChange={(next) => {
            setTheme(next)
            document.documentElement.dataset['theme'] = next
          }}
          options={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={theme}
        />
      </PageHeader>
      <div className="grid items-start gap-4 p-4 tablet:grid-cols-2 tablet:px-6 tablet:pt-5 tablet:pb-8">
        <KitStatus />
        <KitControls />
        <KitCharts />
        <KitStates />
        <KitFields />
        <KitOverlays />
        <Wide>
          <KitLists />
        </Wide>
      </div>
    </main>
  )
}

function Wide({ children }: { children: ReactNode }) {
  return <div className="grid min-w-0 items-start gap-4 tablet:col-span-2">{children}</div>
}
