import { useState } from 'react'
import { Bars } from '../../charts/bars.tsx'
import { BarsCard } from '../../charts/bars-card.tsx'
import { Distribution } from '../../charts/distribution.tsx'
import { HeatStrip } from '../../charts/heat-strip.tsx'
import { Meter } from '../../charts/meter.tsx'
import { Ranked } from '../../charts/ranked.tsx'
import { Spark } from '../../charts/spark.tsx'
import { TableToggle } from '../../charts/table-toggle.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Tag } from '../../ui/tag.tsx'
import { BINS, HEAT, MONTH, NO_DAYS, WEEK } from './kit-data.ts'

export function KitCharts() {
  return (
    <>
      <BarsCard
        days={WEEK}
        height={200}
        label="Spend per day, 7 days"
        title="1 · Stacked bars over time"
        unit="USD"
      />
      <Meters />
      <Card>
        <CardHeader title="3 · Sparkline, and type" />
        <CardBody>
          <div className="mb-4 flex flex-wrap items-center gap-5">
            <Spark height={26} values={[3, 5, 4, 7, 6, 9, 8, 12, 11, 14]} width={92} />
            <span>14 today, 3 to 14 in ten days</span>
            <Spark height={26} quiet values={[14, 12, 9, 9, 5, 4, 4, 2]} width={92} />
            <span>2 today, falling</span>
            <Spark height={26} values={[]} width={92} />
          </div>
          <div className="text-figure font-[560] tracking-figure">
            6,018.60
            <span className="ml-1.25 text-small font-[450] tracking-[0.02em] text-ink-3">USD</span>
          </div>
          <p className="text-title font-strong">Title 20 / 28, weight 600</p>
          <p className="text-lead">The decision sentence 17 / 24</p>
          <p>Body 13 / 20 for tables and forms</p>
          <p className="text-small text-ink-2">Small 12 / 16 for second lines</p>
        </CardBody>
      </Card>
      <Strips />
      <BarsCard days={MONTH} label="Spend per day, 30 days" title="Spend per day" unit="USD" />
      <Card>
        <CardHeader title="Loading and empty" />
        <CardBody className="grid gap-4">
          <Bars days={[]} height={120} label="Spend per day" loading />
          <Bars days={NO_DAYS} height={120} label="Spend per day" />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Top rejection reasons" />
        <Ranked
          caption="Top rejection reasons"
          kind="rejected"
          rows={[
            { key: 'a', label: 'Per-spend limit exceeded', value: 18, figure: '18', href: '#a' },
            { key: 'b', label: 'Budget exhausted', value: 11, figure: '11', href: '#b' },
            { key: 'c', label: 'Needs approval', value: 8, figure: '8', href: '#c' },
          ]}
        />
      </Card>
      <Card>
        <CardHeader action="net of refunds" title="Top vendors" />
        <Ranked
          caption="Top vendors"
          rows={[
            {
              key: 'a',
              label: 'lufthansa.com',
              note: <Tag>travel</Tag>,
              value: 2418.6,
              figure: '2,418.60',
              href: '#a',
            },
            {
              key: 'b',
              label: 'api.openai.com',
              note: <Tag>llm</Tag>,
              value: 1353.2,
              figure: '1,353.20',
              href: '#b',
            },
            { key: 'c', label: '14 others', value: 1062.55, figure: '1,062.55' },
          ]}
          width={48}
        />
      </Card>
    </>
  )
}

function Meters() {
  return (
    <Card>
      <CardHeader
        action={
          <span className="text-ink-3">
            spent solid, held hatched, forecast dashed; marks at 80 and 100 %
          </span>
        }
        title="2 · Budget meter"
      />
      <CardBody className="grid gap-3">
        <Meter
          details={[
            { label: 'Spent', text: '305.00' },
            { label: 'Held', text: '15.00' },
            { label: 'Of', text: '500.00 USD' },
          ]}
          forecastAt={485}
          held={15}
          label="64 % used. Lasts until 1 December."
          spent={305}
          total={500}
        />
        <Meter
          forecastAt={1130}
          held={80}
          label="86 % used. Empty on 24 Nov at this pace."
          spent={780}
          total={1000}
        />
        <Meter
          held={0}
          label="100 % used. Nothing left until 1 December."
          spent={300}
          total={300}
        />
        <Meter held={0} label="12 % used. Too few spends for a forecast." spent={12} total={100} />
        <Meter held={0} label="No budget period" spent={0} total={0} />
        <div className="w-30">
          <Meter held={8} label="64 % used" mini spent={56} total={100}>
            {null}
          </Meter>
        </div>
      </CardBody>
    </Card>
  )
}

function Strips() {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card>
      <CardHeader
        action={<TableToggle asTable={asTable} onChange={setAsTable} />}
        title="4 · Distribution and heat strip"
      />
      <CardBody className="grid gap-3">
        <Distribution
          asTable={asTable}
          bins={BINS}
          label="How large the spends of 30 days were, and where the limit was and would be"
          limit={300}
          unit="USD"
          was={250}
        />
        <HeatStrip asTable={asTable} days={HEAT} label="Spends per day, 20 days" />
        {!asTable && <HeatStrip days={HEAT} height={26} label="Spends per day, 20 days" still />}
      </CardBody>
    </Card>
  )
}
