import type { Vendor } from '@purser/sdk'
import { Search } from 'lucide-react'
import { FilterChip } from '../../ui/chip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CategoryFilter } from './category-filter.tsx'
import type { VendorSearch } from './use-vendor-address.ts'

interface VendorFiltersProps {
  readonly search: VendorSearch
  readonly vendors: readonly Vendor[]
  readonly onChange: (change: VendorSearch, isTyping?: boolean) => void
}

export function VendorFilters({ search, vendors, onChange }: VendorFiltersProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 tablet:px-6"
      data-print="none"
    >
      <div className="w-60 max-w-full">
        <TextField
          aria-label="Find a host or name"
          placeholder="Find a host or name"
          icon={<Search aria-hidden size={14} className="text-ink-3" />}
          size="sm"
          value={search.new === undefined ? (search.host ?? '') : ''}
          onChange={(host) => onChange({ host }, true)}
        />
      </div>
      <FilterChip
        label="Category"
        value={search.category}
        on={search.category !== undefined}
        onRemove={() => onChange({ category: undefined })}
      >
        {(close) => (
          <CategoryFilter
            vendors={vendors}
            value={search.category ?? ''}
            onApply={(category) => {
              onChange({ category })
              close()
            }}
          />
        )}
      </FilterChip>
    </div>
  )
}
