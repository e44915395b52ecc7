/**
 * Lists everything that the gateway uses of the WebAuthn packages. No other file imports them: the
 * build turns this file into one of its own, with the code of the packages in it (ADR 61).
 */
export {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
export { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
