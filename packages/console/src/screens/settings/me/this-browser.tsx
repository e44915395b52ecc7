import { Moon, Sun, SunMoon } from 'lucide-react'
import { useState } from 'react'
import { type NotifyState, switchNotify, useNotifyState } from '../../../data/notify.ts'
import { areLettersOff, switchLetters } from '../../../keys/shortcuts.ts'
import { useDensity } from '../../../theme/use-density.ts'
import { useTheme } from '../../../theme/use-theme.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Switch } from '../../../ui/switch.tsx'

const ICON = { size: 14, 'aria-hidden': true } as const
const THEMES = [
  { value: 'system', label: 'System', icon: <SunMoon {...ICON} /> },
  { value: 'light', label: 'Light', icon: <Sun {...ICON} /> },
  { value: 'dark', label: 'Dark', icon: <Moon {...ICON} /> },
] as const

const DENSITIES = [
  { value: 'normal', label: 'Normal' },
  { value: 'compact', label: 'Compact' },
] as const

const WHEN = 'When a spend needs approval while this page is in the background.'
const NOTIFY_HELP: Readonly<Record<NotifyState, string>> = {
  on: WHEN,
  off: WHEN,
  denied: 'You blocked notifications of this page. Allow them in the settings of the browser.',
  missing: 'Browsers show notifications only over HTTPS or on localhost.',
}

/** Settings that only this browser keeps. */
export function ThisBrowser() {
  const [theme, setTheme] = useTheme()
  const [density, setDensity] = useDensity()
  const [hasLetters, setLetters] = useState(() => !areLettersOff())
  const notifying = useNotifyState()
  return (
    <Card aria-label="This browser">
      <CardHeader note="kept in this browser" title="This browser" />
      <CardBody className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="font-medium">Theme</span>
          <Segmented label="Theme" onChange={setTheme} options={THEMES} value={theme} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="font-medium">Rows of tables</span>
          <Segmented
            label="Rows of tables"
            onChange={setDensity}
            options={DENSITIES}
            value={density}
          />
        </div>
        <Switch
          checked={hasLetters}
          help="Keys such as g t and j. Combinations with Ctrl or Cmd stay."
          label="Shortcuts of one letter"
          onChange={(isOn) => {
            switchLetters(isOn)
            setLetters(isOn)
          }}
        />
        <Switch
          checked={notifying === 'on'}
          disabled={notifying === 'denied' || notifying === 'missing'}
          help={NOTIFY_HELP[notifying]}
          label="Notifications"
          onChange={(isOn) => void switchNotify(isOn)}
        />
      </CardBody>
    </Card>
  )
}
