/** The track is 100 %. A forecast can pass it, so the drawing goes on to 115 %. */
export const FULL_SCALE = 1.15
export const WARNS_AT = 0.8

export interface MeterShape {
  /** Shares of the whole, 1 is 100 %. */
  spent: number
  held: number
  /** Spent and held in whole percent. Only a budget that is used up says 100. */
  percent: number
  tone: 'spent' | 'ask' | 'no'
  /** Where the forecast ends, at most 115 %, or null. */
  forecast: number | null
}

export interface MeterAmounts {
  spent: number | string
  held: number | string
  total: number | string
  forecastAt?: number | string | null | undefined
}

/** The shape of a meter. The numbers are for drawing alone: amounts are shown from their text. */
export function meterShape({ spent, held, total, forecastAt }: MeterAmounts): MeterShape {
  const whole = Number(total)
  if (!(whole > 0)) return { spent: 0, held: 0, percent: 0, tone: 'spent', forecast: null }
  const spentShare = clamp(Number(spent) / whole)
  const heldShare = clamp(Number(held) / whole)
  const used = Math.min(1, spentShare + heldShare)
  const isFull = used >= 1
  const tone = isFull ? 'no' : used >= WARNS_AT ? 'ask' : 'spent'
  const percent = isFull ? 100 : Math.min(99, Math.round(used * 100))
  return {
    spent: spentShare,
    held: Math.min(heldShare, 1 - spentShare),
    percent,
    tone,
    forecast: isFull ? null : forecastShare(forecastAt, whole, used),
  }
}

function forecastShare(
  forecastAt: number | string | null | undefined,
  whole: number,
  used: number,
): number | null {
  if (forecastAt === null || forecastAt === undefined) return null
  const share = Math.min(FULL_SCALE, Number(forecastAt) / whole)
  // A forecast that ends where the bar ends would be a caret without a line.
  return share > used + 0.02 ? share : null
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
}
