/**
 * The active codes of ISO 4217 that have a minor unit. Metals, drawing rights and test codes have none,
 * so no payment can be in them. Withdrawn codes (BGN, HRK, SLL, ZWL …) are left out: a new mandate in
 * such a currency could never be used.
 *
 * This is our own list, because the list of Intl includes withdrawn codes and changes with the version
 * of Node.
 */
const ISO_4217 = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
  CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP
  GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
  KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
  MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
  SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
  USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`

/** Tokens used for payments. Each token stands for one unit of a currency. */
const TOKENS: ReadonlyMap<string, string> = new Map([
  ['USDC', 'USD'],
  ['EURC', 'EUR'],
])

const CURRENCIES: ReadonlySet<string> = new Set([...ISO_4217.trim().split(/\s+/), ...TOKENS.keys()])

/** Codes are compared exactly, in capitals. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

/** Whether an amount in one currency is the same amount in the other. */
export function isSameCurrency(a: string, b: string): boolean {
  return a === b || (TOKENS.get(a) ?? a) === (TOKENS.get(b) ?? b)
}
