import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { FilterChip } from '../../ui/chip.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Diff } from '../../ui/diff.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { DrawerSection } from '../../ui/drawer-section.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'

type Open = 'dialog' | 'confirm' | 'typed' | 'drawer' | null

export function KitOverlays() {
  const [open, setOpen] = useState<Open>(null)
  const [agent, setAgent] = useState<string | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Card>
        <CardHeader title="Dialogs, drawer, toast, filters" />
        <CardBody className="grid gap-3">
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('dialog')}>Dialog</Button>
            <Button onClick={() => setOpen('confirm')}>Confirm</Button>
            <Button onClick={() => setOpen('typed')}>Confirm with a word</Button>
            <Button onClick={() => setOpen('drawer')}>Drawer</Button>
            <Button onClick={() => toast('Key copied')}>Toast</Button>
            <Button
              onClick={() =>
                toast('Travel booker is paused. Its spends are rejected from now on.', {
                  undo: () => toast('Travel booker is active again.'),
                })
              }
            >
              Toast with Undo
            </Button>
          </div>
          <div className="flex flex-wrap gap-2">
            <FilterChip label="30 days" on onRemove={() => undefined} />
            <FilterChip
              label="Agent"
              on={agent !== null}
              onRemove={() => setAgent(null)}
              value={agent ?? undefined}
            >
              {(done) => (
                <div className="grid gap-2">
                  <Select
                    label="Agent"
                    onChange={(next) => {
                      setAgent(next)
                      done()
                    }}
                    options={['Travel booker', 'Ops runner'].map((value) => ({
                      value,
                      label: value,
                    }))}
                    value={agent}
                  />
                </div>
              )}
            </FilterChip>
            <FilterChip label="Path" on={false}>
              Choose a path
            </FilterChip>
          </div>
          <div className="flex h-100 min-w-0 overflow-hidden rounded-3 border border-line">
            <div className="min-w-0 flex-1 p-3.5 text-ink-2">The list beside the drawer.</div>
            <Drawer
              actions={
                <>
                  <IconButton
                    icon={<ChevronUp aria-hidden="true" size={14} />}
                    kbd={['k']}
                    label="Previous"
                    size="sm"
                  />
                  <IconButton
                    icon={<ChevronDown aria-hidden="true" size={14} />}
                    kbd={['j']}
                    label="Next"
                    size="sm"
                  />
                </>
              }
              footer={<Button variant="primary">Try again now</Button>}
              header={<h2>Why?</h2>}
              label="Why: 297.00 USD at sas.se"
              onClose={close}
              open={open === 'drawer'}
            >
              <DrawerSection>Rejected: 297.00 USD is more than 250.00 USD.</DrawerSection>
              <DrawerSection action={<a href="#all">All</a>} title="Details">
                <DescriptionList
                  rows={[
                    { label: 'Agent', value: 'Travel booker' },
                    { label: 'Reference', value: <code>trip-2291</code> },
                    { label: 'Left out', value: undefined },
                  ]}
                />
              </DrawerSection>
            </Drawer>
          </div>
        </CardBody>
      </Card>
      <Dialog
        description="It binds Travel booker from the next spend on, within a second. Version 4 stays in the record."
        footer={
          <>
            <span className="mr-auto text-small text-ink-3">
              Tokens of version 4 no longer hold.
            </span>
            <Button onClick={close}>Keep editing</Button>
            <Button onClick={close} variant="primary">
              Activate version 5
            </Button>
          </>
        }
        onClose={close}
        open={open === 'dialog'}
        size="lg"
        title="Activate version 5?"
      >
        <div className="grid gap-3">
          <KitDiff />
          <TextField label="Reason" note="optional" onChange={() => undefined} value="" />
        </div>
      </Dialog>
      <Confirm
        action={{ label: 'Revoke travel-prod', tone: 'danger', onConfirm: failing }}
        effect="It was used 38 s ago. Calls with it fail within a second. A revoked key cannot be brought back."
        onClose={close}
        open={open === 'confirm'}
        title="Revoke travel-prod?"
      />
      <Confirm
        action={{ label: 'Delete Travel booker', tone: 'danger', onConfirm: async () => undefined }}
        affected={
          <DescriptionList
            rows={[
              { label: 'Keys', value: '2 are revoked' },
              { label: 'Cards', value: '2 are closed' },
            ]}
          />
        }
        effect="Its mandate ends. Its transactions stay. This cannot be undone."
        onClose={close}
        open={open === 'typed'}
        title="Delete Travel booker?"
        typed="Travel booker"
      />
    </>
  )
}

async function failing(): Promise<void> {
  await new Promise((done) => setTimeout(done, 600))
  throw new Error('This key is the last one that can manage keys. Make another one first.')
}

export function KitDiff() {
  return (
    <Diff
      heads={['Version 4, active', 'Version 5']}
      rows={[
        { label: 'Per-spend limit', before: '250.00 USD', after: <b>300.00 USD</b> },
        {
          label: 'Vendors',
          before: '12 hosts',
          kept: true,
          after: (
            <>
              12 hosts, <b>*.bahn.de</b>
            </>
          ),
        },
        { label: 'Require approval', after: <b>above 500.00 USD, 30 minutes</b> },
        { label: 'Category', before: 'travel', after: 'travel', same: true },
      ]}
    />
  )
}
