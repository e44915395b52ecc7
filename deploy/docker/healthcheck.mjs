// The health check of the image: whether the process answers. It does not ask for the database, because
// a restart of the gateway does not repair one.
const port = process.env.PURSER_PORT || '3000'
try {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
  if (!answer.ok) throw new Error(`/healthz answered ${answer.status}.`)
} catch (error) {
  console.error(error.cause?.message ?? error.message)
  process.exitCode = 1
}
