import type { Transaction } from '@purser/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { firstTest, parseTest, type TestSpend, testText } from './beside/test-input.ts'
import type { MandateForm } from './form/mandate-form.ts'
import { amountText } from './form/rule-form.ts'
import { useDebounced } from './use-debounced.ts'

const WAIT_MS = 400

/** The spend of the tester. It is in the address, so that a link shows the same verdict. */
export function useTest(
  form: MandateForm,
  from: Transaction | undefined,
): readonly [TestSpend, (test: TestSpend) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const [test, setTest] = useState(
    () => parseTest(search['test']) ?? spendOf(from) ?? firstTest(form),
  )
  const [isTyped, setTyped] = useState(false)
  const text = useDebounced(testText(test), WAIT_MS)
  useEffect(() => {
    // Typing replaces the address, and only a spend that a person entered is in it.
    if (!isTyped) return
    void navigate({ to: '.', search: (old) => ({ ...old, test: text }), replace: true })
  }, [text, isTyped, navigate])
  return [
    test,
    (next) => {
      setTyped(true)
      setTest(next)
    },
  ]
}

function spendOf(from: Transaction | undefined): TestSpend | undefined {
  if (!from) return undefined
  const { amount, vendor, category, path } = from
  return { amount: amountText(amount), vendor, category: category ?? '', path, at: '' }
}
