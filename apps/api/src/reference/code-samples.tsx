import type { ApiReference, Entry } from './reference.js';

interface CodeSample {
  readonly language: string;
  readonly code: string;
}

export function CodeBlock({ caption, code }: { caption?: string; code: string }) {
  return (
    <figure class="code">
      {caption && <figcaption>{caption}</figcaption>}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** One sample is open at a time, because `details` elements with the same name exclude each other. */
export function Samples({ id, samples }: { id: string; samples: readonly CodeSample[] }) {
  return (
    <div class="samples">
      {samples.map(({ language, code }, index) => (
        <details key={language} name={`sample-${id}`} data-language={language} open={index === 0}>
          <summary>{language}</summary>
          <CodeBlock code={code} />
        </details>
      ))}
    </div>
  );
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** `attachment` sends files in a form; `mail` sends one file as the whole body. */
  readonly file: 'attachment' | 'mail' | undefined;
  readonly isPublic: boolean;
}

/**
 * The call of an operation in each language, with its standard library, and `requests` in Python. Returns none for an
 * operation that only a form sends.
 */
export function codeSamplesOf(entry: Entry, { base }: ApiReference): CodeSample[] {
  const { method, path, operation } = entry;
  const content = operation.requestBody?.content ?? {};
  if (Object.keys(content).join() === 'application/x-www-form-urlencoded') return [];
  const call: Call = {
    method,
    url: `${base}${operation['x-example-path'] ?? path}`,
    body: content['application/json']?.example,
    file: 'multipart/form-data' in content ? 'attachment' : 'message/rfc822' in content ? 'mail' : undefined,
    isPublic: operation.security?.length === 0,
  };
  return [
    { language: 'curl', code: curl(call) },
    { language: 'JavaScript', code: javascript(call) },
    { language: 'Python', code: python(call) },
  ];
}

const present = (...lines: (string | false)[]): string[] => lines.filter((line) => line !== false);

function curl({ method, url, body, file, isPublic }: Call): string {
  return present(
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    !isPublic && `-H "Authorization: Bearer $TOKEN"`,
    !isPublic && `-H 'Prefer: handling=strict'`,
    body !== undefined && `-H 'Content-Type: application/json'`,
    body !== undefined && `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
    file === 'attachment' && `-F 'files=@invoice.txt'`,
    file === 'mail' && `-H 'Content-Type: message/rfc822' --data-binary @mail.eml`,
  ).join(' \\\n  ');
}

function javascript({ method, url, body, file, isPublic }: Call): string {
  const headers = present(
    !isPublic && "authorization: `Bearer ${process.env.TOKEN}`, prefer: 'handling=strict'",
    body !== undefined && "'content-type': 'application/json'",
    file === 'mail' && "'content-type': 'message/rfc822'",
  );
  const options = present(
    method !== 'GET' && `  method: '${method}',`,
    headers.length > 0 && `  headers: { ${headers.join(', ')} },`,
    body !== undefined && `  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`,
    file === 'attachment' && '  body: form,',
    file === 'mail' && "  body: await readFile('mail.eml'),",
  );
  const form = "const form = new FormData();\nform.append('files', new Blob(['Invoice 1042']), 'invoice.txt');\n";
  return present(
    file === 'attachment' && form,
    file === 'mail' && "import { readFile } from 'node:fs/promises';\n\n",
    `const response = await fetch('${url}'${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});\n`,
    'console.log(response.status, await response.text());',
  ).join('');
}

function python({ method, url, body, file, isPublic }: Call): string {
  const headers = present(
    !isPublic && `"Authorization": f"Bearer {os.environ['TOKEN']}", "Prefer": "handling=strict"`,
    file === 'mail' && '"Content-Type": "message/rfc822"',
  );
  const options = present(
    headers.length > 0 && `    headers={${headers.join(', ')}},`,
    body !== undefined && `    json=${indented(pythonValue(body), '    ')},`,
    file === 'attachment' && '    files={"files": open("invoice.txt", "rb")},',
    file === 'mail' && '    data=open("mail.eml", "rb"),',
  );
  return [
    isPublic ? 'import requests\n\n' : 'import os\nimport requests\n\n',
    `response = requests.${method.toLowerCase()}(\n    "${url}",\n${options.map((line) => `${line}\n`).join('')})\n`,
    'print(response.status_code, response.text)',
  ].join('');
}

const indented = (text: string, by = '  '): string => text.replaceAll('\n', `\n${by}`);

/** JSON as Python: `null`, `true` and `false` differ. */
function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => pythonValue(one)).join(', ')}]`;
  const fields = Object.entries(value).map(([name, one]) => `    ${JSON.stringify(name)}: ${pythonValue(one)},\n`);
  return `{\n${fields.join('')}}`;
}
