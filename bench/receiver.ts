import { createServer } from 'node:http'

/** A receiver that acknowledges at once. `GET` returns how many events it has received. */
let count = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(count))
    return
  }
  request.resume().on('end', () => {
    count += 1
    response.writeHead(204).end()
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
