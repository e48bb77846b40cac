import { verify } from './verify.mjs';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const requests = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const verdicts = requests.map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body, 'base64')));
process.stdout.write(JSON.stringify(verdicts));
