import type { AcpVersion, CardAlias, Vendor, VendorChange, VendorInput } from '@purser/sdk'
import { changesOf, isSame } from '../../page/changes.ts'

/** The form as a person fills it: lists are one entry per line. */
export interface VendorForm {
  readonly host: string
  readonly name: string
  readonly category: string
  readonly payees: string
  readonly aliases: string
  readonly hasShop: boolean
  readonly apiBaseUrl: string
  readonly version: AcpVersion
  readonly merchantIds: string
  readonly profileId: string
  readonly credential: string
  readonly webhookSecret: string
}

export const ACP_VERSIONS: readonly AcpVersion[] = [
  ...(['2026-04-17', '2026-01-30', '2026-01-16', '2025-12-12', '2025-09-29'] as const),
]

/** The form of a vendor, or of a new one with the values of a link. */
export function toForm(vendor: Vendor | undefined, given: Partial<VendorForm> = {}): VendorForm {
  const acp = vendor?.acp ?? null
  return {
    host: vendor?.host ?? '',
    name: vendor?.name ?? '',
    category: vendor?.category ?? '',
    payees: (vendor?.x402Payees ?? []).map((one) => `${one.network} ${one.address}`).join('\n'),
    aliases: (vendor?.cardAliases ?? []).map(aliasText).join('\n'),
    hasShop: acp !== null,
    apiBaseUrl: acp?.apiBaseUrl ?? '',
    version: acp?.version ?? '2026-04-17',
    merchantIds: (acp?.merchantIds ?? []).join('\n'),
    profileId: acp?.profileId ?? '',
    ...{ credential: '', webhookSecret: '' },
    ...given,
  }
}

const ID = 'id '

/** "OPENAI *CHATGPT", or "id 1234567 visa" for the id in a card network. */
export function aliasText(alias: CardAlias): string {
  if ('name' in alias) return alias.name
  return `${ID}${alias.merchantId}${alias.network === undefined ? '' : ` ${alias.network}`}`
}

export interface FormMistakes {
  readonly host?: string
  readonly payees?: string
  readonly apiBaseUrl?: string
  readonly credential?: string
}

/** The mistakes that need no gateway to be found. */
export function mistakesOf(form: VendorForm, vendor: Vendor | undefined): FormMistakes {
  const wrong = linesOf(form.payees).find((line) => line.split(/\s+/).length !== 2)
  const isNewShop = form.hasShop && !vendor?.acp
  return {
    ...(form.host.trim() === '' ? { host: 'Enter the host of the vendor.' } : {}),
    ...(wrong === undefined
      ? {}
      : { payees: `“${wrong}” is not a network and an address, with a space between.` }),
    ...(form.hasShop && form.apiBaseUrl.trim() === '' ? { apiBaseUrl: 'Enter the URL.' } : {}),
    ...(isNewShop && form.credential === '' ? { credential: 'Enter the bearer token.' } : {}),
  }
}

export function toInput(form: VendorForm): VendorInput {
  const { name, category, x402Payees, cardAliases } = fieldsOf(form)
  return {
    ...{ host: form.host.trim(), name, category, x402Payees, cardAliases },
    ...(form.hasShop ? { acp: { ...shopOf(form), credential: form.credential } } : {}),
  }
}

/** The fields of the form that differ from the vendor as the form began. */
export function toChange(form: VendorForm, vendor: Vendor): VendorChange {
  const changed = changesOf(fieldsOf(form), fieldsOf(toForm(vendor)))
  return { ...changed, ...shopChange(form, vendor) }
}

function shopChange(form: VendorForm, vendor: Vendor): Pick<VendorChange, 'acp'> {
  if (!form.hasShop) return vendor.acp === null ? {} : { acp: null }
  const secret = form.credential === '' ? {} : { credential: form.credential }
  const shop = { ...shopOf(form), ...secret }
  const isUnchanged = isSame(shop, shopOf(toForm(vendor)))
  return vendor.acp !== null && isUnchanged ? {} : { acp: shop }
}

function fieldsOf(form: VendorForm) {
  return {
    name: form.name.trim() || null,
    category: form.category.trim() || null,
    x402Payees: linesOf(form.payees).map((line) => {
      const [network = '', address = ''] = line.split(/\s+/)
      return { network, address }
    }),
    cardAliases: linesOf(form.aliases).map(toAlias),
  }
}

function shopOf(form: VendorForm) {
  return {
    apiBaseUrl: form.apiBaseUrl.trim(),
    version: form.version,
    merchantIds: linesOf(form.merchantIds),
    profileId: form.profileId.trim() || null,
    ...(form.webhookSecret === '' ? {} : { webhookSecret: form.webhookSecret }),
  }
}

function toAlias(line: string): CardAlias {
  if (!line.startsWith(ID)) return { name: line }
  const [merchantId = '', network] = line.slice(ID.length).trim().split(/\s+/)
  return network === undefined ? { merchantId } : { merchantId, network }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
