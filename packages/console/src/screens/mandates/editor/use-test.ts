import type { Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../../../data/queries.ts'
import { useNavigate, useSearch } from '../../../router/use-router.ts'
import {
  firstTest,
  type LastSpend,
  parseTest,
  type TestSpend,
  testText,
} from './beside/test-input.ts'
import type { MandateForm } from './form/mandate-form.ts'
import { amountText } from './form/rule-form.ts'
import { useDebounced } from './use-debounced.ts'

const WAIT_MS = 400

/** The spend of the tester. It is in the address, so that a link shows the same verdict. */
export function useTest(
  form: MandateForm,
  from: Transaction | undefined,
): readonly [TestSpend, (test: TestSpend) => void] {
  const search = useSearch()
  const navigate = useNavigate()
  const [given] = useState(() => parseTest(search['test']) ?? spendOf(from))
  const [firstForm] = useState(form)
  const [typed, setTyped] = useState<TestSpend>()
  const isTyped = typed !== undefined
  const last = useLastSpend(form.agentId, given === undefined && !isTyped)
  const test = typed ?? given ?? firstTest(firstForm, last)
  const text = useDebounced(testText(test), WAIT_MS)
  useEffect(() => {
    // Typing replaces the address, and only a spend that a person entered is in it.
    if (!isTyped) return
    void navigate({ to: '.', search: (old) => ({ ...old, test: text }), replace: true })
  }, [text, isTyped, navigate])
  return [test, setTyped]
}

/** Where the agent spent last. Without it, the rules name a vendor. */
function useLastSpend(agentId: string, isNeeded: boolean): LastSpend | undefined {
  const latest = queries.latestTransactions({ agentId, limit: 1 })
  const { data } = useQuery({
    ...latest,
    enabled: agentId !== '' && isNeeded,
    // A new spend must not change a field that a person looks at.
    ...{ staleTime: Number.POSITIVE_INFINITY, refetchOnMount: false },
  })
  return data?.data[0]
}

function spendOf(from: Transaction | undefined): TestSpend | undefined {
  if (!from) return undefined
  const { amount, vendor, category, path } = from
  return { amount: amountText(amount), vendor, category: category ?? '', path, at: '' }
}
