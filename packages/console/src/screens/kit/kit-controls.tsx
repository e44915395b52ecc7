import { Copy, Ellipsis, Link, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const FOR_ADMINS = 'For owners and admins. You are a viewer.'

export function KitControls() {
  const [isOn, setOn] = useState(true)
  const [isChecked, setChecked] = useState(true)
  const [range, setRange] = useState<'7' | '30' | '90'>('30')
  const [tab, setTab] = useState<'all' | 'rejected' | 'held'>('all')
  const [isBusy, setBusy] = useState(false)
  return (
    <Card>
      <CardHeader title="Buttons and fields" />
      <CardBody className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-2.5">
          <Button variant="primary">Primary</Button>
          <Button>Default</Button>
          <Button variant="danger">Revoke</Button>
          <Button variant="danger-solid">Freeze all spending</Button>
          <Button variant="quiet">Quiet</Button>
          <Button disabled>Disabled</Button>
          <Button disabledReason={FOR_ADMINS}>Locked</Button>
          <Switch aria-label="On" checked={isOn} onChange={setOn} />
          <Switch aria-label="Off" checked={!isOn} onChange={(on) => setOn(!on)} />
        </div>
        <div className="flex flex-wrap items-center gap-2.5">
          <Button busy={isBusy} onClick={() => setBusy(true)} variant="primary">
            Press to make busy
          </Button>
          <Button busy icon={<RotateCw aria-hidden="true" size={14} />}>
            Busy with icon
          </Button>
          <Button size="sm">Small</Button>
          <Button busy size="sm">
            Small
          </Button>
          <Button size="lg">Large</Button>
          <Button href="#link" icon={<Link aria-hidden="true" size={14} />}>
            A link
          </Button>
          <Button kbd={['g', 'a']}>Decide</Button>
          <Button kbd={['Ctrl', 'Enter']} variant="primary">
            Review and activate
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <IconButton icon={<Link aria-hidden="true" />} label="Copy the link" />
          <IconButton
            icon={<Trash2 aria-hidden="true" />}
            label="Delete"
            disabledReason={FOR_ADMINS}
            variant="default"
          />
          <CopyButton text="txn_01" />
          <CopyButton iconOnly text="txn_01" />
          <Menu
            items={[
              { label: 'Copy as curl', icon: <Copy aria-hidden="true" />, kbd: ['c'] },
              { label: 'Open the agent', icon: <Link aria-hidden="true" />, href: '#agent' },
              { label: 'Rotate', disabledReason: FOR_ADMINS },
              'separator',
              { label: 'Revoke…', icon: <Trash2 aria-hidden="true" />, danger: true },
            ]}
            trigger={
              <IconButton icon={<Ellipsis aria-hidden="true" />} label="More" variant="default" />
            }
          />
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
          <Segmented
            label="Range"
            onChange={setRange}
            options={[
              { value: '7', label: '7 days' },
              { value: '30', label: '30 days' },
              { value: '90', label: '90 days', count: 12 },
            ]}
            value={range}
          />
        </div>
        <Tabs
          items={[
            { value: 'all', label: 'All' },
            { value: 'rejected', label: 'Rejected', count: 47 },
            { value: 'held', label: 'Held', count: 9 },
          ]}
          label="Transactions"
          onChange={setTab}
          value={tab}
        >
          <p className="pt-2 text-small text-ink-2">The tab {tab} is shown.</p>
        </Tabs>
        <Tabs
          items={[
            { value: 'me', label: 'Me', href: '#me' },
            { value: 'members', label: 'Members', count: 3, href: '#members' },
          ]}
          label="Settings"
          value="me"
        />
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Checkbox checked={isChecked} label="and the 2 keys that it made" onChange={setChecked} />
          <Checkbox checked="some" help="3 of 12" label="Some" onChange={() => undefined} />
          <Checkbox checked={false} disabled label="Disabled" onChange={() => undefined} />
          <Switch checked={isOn} help="In this browser." label="Shortcuts" onChange={setOn} />
        </div>
      </CardBody>
    </Card>
  )
}
