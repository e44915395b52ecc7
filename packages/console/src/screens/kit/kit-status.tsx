import {
  Anchor,
  Ban,
  Check,
  Clock,
  Flag,
  Hourglass,
  Pause,
  Pencil,
  RotateCw,
  Undo2,
  User,
  X,
} from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import type { Tone } from '../../ui/tone.ts'

const STATUSES = [
  ['ok', Check, 'Approved'],
  ['ok', Check, 'Settled'],
  ['held', Anchor, 'Held'],
  ['ask', User, 'Needs approval'],
  ['ask', Clock, 'Waiting'],
  ['no', X, 'Rejected'],
  ['done', Ban, 'Voided'],
  ['done', Hourglass, 'Expired'],
  ['back', Undo2, 'Refunded'],
  ['back', Undo2, 'Part refunded'],
  ['ask', Flag, 'Flagged'],
  ['ask', Pause, 'Paused'],
  ['done', Pencil, 'Draft'],
  ['held', RotateCw, 'Retrying'],
  ['no', X, 'Failed'],
  ['ok', Check, 'Delivered'],
] as const satisfies readonly (readonly [Tone, typeof Check, string])[]

export function KitStatus() {
  return (
    <Card>
      <CardHeader title="Status: icon, word, colour" />
      <CardBody className="flex flex-wrap gap-2">
        {STATUSES.map(([tone, Icon, word]) => (
          <Badge
            dashed={word === 'Expired'}
            icon={<Icon aria-hidden="true" size={13} />}
            key={word}
            tone={tone}
          >
            {word}
          </Badge>
        ))}
      </CardBody>
    </Card>
  )
}
