import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password, with a button that shows it. `autoComplete` says whether it is a new one. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end' | 'mono'>) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      autoComplete="current-password"
      spellCheck={false}
      {...props}
      end={
        <button
          aria-label="Show the password"
          aria-pressed={isShown}
          className="-mr-1.5 grid size-6.5 shrink-0 place-items-center rounded-1 text-ink-3 hover:text-ink pointer-coarse:size-10"
          disabled={props.disabled}
          onClick={() => setShown(!isShown)}
          type="button"
        >
          {isShown ? <EyeOff aria-hidden="true" size={15} /> : <Eye aria-hidden="true" size={15} />}
        </button>
      }
      type={isShown ? 'text' : 'password'}
    />
  )
}
