import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { coversPattern, createVendorSet, toVendorPattern } from '../../vendor.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { outsideParent, summaryOf } from '../narrowing.ts'
import { ENTRIES_MAX, inspectVendors, VENDOR_FORM_NOTE, vendorsSetting } from '../settings.ts'
import { fail, pass } from '../verdict.ts'

const codes = {
  ...defineCodes({
    vendor_blocked: {
      meaning: 'The mandate blocks the vendor.',
      action: 'Choose a different vendor.',
      repeat: 'no',
    },
    vendor_not_allowed: {
      meaning: 'The mandate does not allow this vendor.',
      action: 'Choose an allowed vendor; the `limit` of the finding lists the first of them.',
      repeat: 'no',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/**
 * Restricts the vendors of spends. A block wins over an allow, so that one bad host under an allowed
 * wildcard can be excluded without listing all the good ones.
 */
export const vendors = defineRule({
  type: 'vendors',
  title: 'VendorsRule',
  summary: 'Restricts which vendors a spend may pay: hosts, or `*.` for all subdomains.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    allow: Type.Optional(
      vendorsSetting(
        'Only these vendors pass. Without it, every vendor that is not blocked passes.',
        '*.acme.com',
      ),
    ),
    block: Type.Optional(
      vendorsSetting('These vendors fail, even if they are also allowed.', 'ads.acme.com'),
    ),
  },

  codes,
  examples: [
    {
      says: 'One host, and all subdomains of a second one except one of them.',
      rule: { allow: ['api.openai.com', '*.example.com'], block: ['ads.example.com'] },
    },
  ],

  notes: [
    `At least one of \`allow\` and \`block\` is required, each with at most ${ENTRIES_MAX} entries.`,
    VENDOR_FORM_NOTE,
  ],
  narrower:
    'every `allow` of the parents must cover every entry of `allow`. `*.a.com` covers `b.a.com` and `*.b.a.com`. Block lists are not compared.',

  inspect({ allow, block }) {
    if (!allow && !block) {
      return [{ path: '', code: 'incomplete_rule', message: 'must state `allow`, `block` or both' }]
    }
    return [...inspectVendors('/allow', allow), ...inspectVendors('/block', block)]
  },

  normalize(settings) {
    const { allow, block } = settings
    return {
      ...settings,
      ...(allow && { allow: toPatterns(allow) }),
      ...(block && { block: toPatterns(block) }),
    }
  },

  judge({ allow, block = [] }) {
    const allowed = allow && createVendorSet(allow)
    const blocked = createVendorSet(block)
    const limit = allow ? summaryOf(allow) : `not ${summaryOf(block)}`
    return {
      judgesChecks: true,
      readsVendor: () => true,
      check({ spend: { vendor } }) {
        const pattern = blocked.match(vendor)
        if (pattern !== undefined) {
          const message = `Spends at ${vendor} are blocked (${pattern}).`
          return fail(codes.vendor_blocked, vendor, `not ${pattern}`, message)
        }
        if (allowed && !allowed.has(vendor)) {
          const message = `Spends at ${vendor} are not allowed. Allowed: ${limit}.`
          return fail(codes.vendor_not_allowed, vendor, limit, message)
        }
        return pass(vendor, limit, 'The vendor is allowed.')
      },
    }
  },

  widerThan({ allow }, parents) {
    const stated = parents.map((parent) => parent.allow)
    return outsideParent('/allow', allow, stated, coversPattern)
  },
})

/** The rule has been inspected: every entry is a pattern. */
function toPatterns(texts: readonly string[]): string[] {
  const patterns = texts.map((text) => {
    const result = toVendorPattern(text)
    assert('pattern' in result, 'vendors are normalized after they were inspected')
    return result.pattern
  })
  return [...new Set(patterns)]
}
