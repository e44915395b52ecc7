import { useQuery } from '@tanstack/react-query'
import { queries } from '../../../data/queries.ts'
import { FilterChip } from '../../../ui/chip.tsx'
import { Select } from '../../../ui/select.tsx'
import { shortId } from '../../../words/text.ts'
import { hostOf } from './endpoint-list.ts'

interface EndpointFilterProps {
  readonly value: string | undefined
  readonly onChange: (endpointId: string | undefined) => void
}

/** Chooses the endpoint of the deliveries. It appears with the second endpoint. */
export function EndpointFilter({ value, onChange }: EndpointFilterProps) {
  const endpoints = useQuery(queries.organization()).data?.webhookEndpoints ?? []
  if (endpoints.length < 2 && value === undefined) return null
  const chosen = endpoints.find(({ id }) => id === value)
  const label = chosen ? hostOf(chosen.url) : value && shortId(value)
  return (
    <FilterChip
      label="Endpoint"
      on={value !== undefined}
      onRemove={() => onChange(undefined)}
      value={label}
    >
      {(close) => (
        <Select
          label="Endpoint"
          onChange={(id) => {
            onChange(id)
            close()
          }}
          options={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
          value={chosen?.id ?? null}
        />
      )}
    </FilterChip>
  )
}

/** Names the endpoint of a delivery, once there are several. */
export function EndpointName({ id }: { readonly id: string }) {
  const endpoints = useQuery(queries.organization()).data?.webhookEndpoints ?? []
  const endpoint = endpoints.find((one) => one.id === id)
  if (endpoint && endpoints.length < 2) return null
  return <> · to {endpoint ? hostOf(endpoint.url) : 'an endpoint that was removed'}</>
}
