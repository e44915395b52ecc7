import { useEffect } from 'react'
import { addShortcut } from '../keys/shortcuts.ts'
import { PLACES } from '../places/places.ts'
import { useRouter } from '../router/use-router.ts'

/** `g` and a letter go to a screen. */
export function PlaceShortcuts() {
  const router = useRouter()
  useEffect(() => {
    const places = PLACES.flatMap((group) =>
      group.places.flatMap(({ path, label, key, pages = [] }) => [
        { path, label, key },
        ...pages.flatMap((page) => (page.key ? [{ ...page, key: page.key }] : [])),
      ]),
    )
    const removers = places.map(({ path, label, key }) =>
      addShortcut({
        keys: `g ${key}`,
        label,
        group: 'Go to',
        run: () => void router.navigate({ to: path }),
      }),
    )
    return () => {
      for (const remove of removers) remove()
    }
  }, [router])
  return null
}
