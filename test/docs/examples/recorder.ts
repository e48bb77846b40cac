import type { Example } from '../../../apps/api/src/reference/operation.js';
import type { ApiResponse } from '#test/support/api-client.js';
import type { Desk } from '#test/support/desk.js';
import { postMail } from '#test/support/mails.js';
import { postFiles, type TestFile, formOf } from '#test/support/upload.js';

/** Calls the API, and keeps the first success of each operation without the values that change between runs. */
export class ExampleRecorder {
  private readonly recorded = new Map<string, Example>();

  constructor(private readonly desk: Desk) {}

  get = (path: string) => this.call('GET', path);
  post = (path: string, body?: unknown) => this.call('POST', path, body);
  put = (path: string, body?: unknown) => this.call('PUT', path, body);
  patch = (path: string, body?: unknown) => this.call('PATCH', path, body);
  delete = (path: string) => this.call('DELETE', path);

  async call(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const answer = await this.desk.client().send(method, path, body);
    if (answer.status > 202 && answer.status !== 204) throw new Error(`${method} ${path}: ${answer.text}`);
    this.keep(answer.operation, { path, request: body, status: answer.status, response: answer.body as unknown });
    return answer;
  }

  async upload(message: string, file: TestFile): Promise<void> {
    const { status, body } = await postFiles(this.desk, message, formOf([file]));
    const path = `/v1/messages/${message}/attachments`;
    this.keep('POST /v1/messages/{id}/attachments', { path, status, response: body as unknown });
  }

  async handOverMail(mailbox: string, mail: string): Promise<string> {
    const { status, body } = await postMail(this.desk, mail, { mailbox });
    const path = `/v1/mailboxes/${mailbox}/raw`;
    this.keep('POST /v1/mailboxes/{id}/raw', { path, status, response: body as unknown });
    return (body as { arrival: { id: string } }).arrival.id;
  }

  /** Operations without a call. */
  missing(): string[] {
    return [...this.operations().values()].filter((id) => !this.recorded.has(id));
  }

  examples(): Readonly<Record<string, Example>> {
    const inOrder = [...this.operations().values()].filter((id) => this.recorded.has(id));
    const text = JSON.stringify(Object.fromEntries(inOrder.map((id) => [id, this.recorded.get(id)])));
    return JSON.parse(this.steady(text)) as Record<string, Example>;
  }

  private keep(operation: string | undefined, example: Example): void {
    const id = this.operations().get(operation ?? '');
    if (id === undefined || this.recorded.has(id)) return;
    this.recorded.set(id, { ...example, response: shortened(example.response) });
  }

  private operations(): Map<string, string> {
    const { paths } = this.desk.contract.document;
    return new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(() => path.startsWith('/v1/'))
          .map(([method, { operationId }]) => [`${method.toUpperCase()} ${path}`, operationId] as const),
      ),
    );
  }

  private steady(text: string): string {
    const ids = new Map<string, string>();
    const idOf = (id: string): string => {
      ids.set(id, ids.get(id) ?? `0199f3aa-5c20-7000-8000-${String(ids.size + 1).padStart(12, '0')}`);
      return ids.get(id)!;
    };
    const { base, account, settings } = this.desk;
    return text
      .replaceAll(base, 'https://desk.example')
      .replaceAll(settings.PUBLIC_URL, 'https://desk.example')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://receiver.example')
      .replaceAll(account.owner.email, 'maya@acme.example')
      .replaceAll(encodeURIComponent(account.owner.email), 'maya%40acme.example')
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, idOf)
      .replaceAll(/20(?!30)\d\d-\d\d-\d\dT[\d:.]+Z/g, '2026-01-31T12:00:00.000Z')
      .replaceAll(/whsec_[\w+/]{43}=/g, 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')
      .replaceAll(/(pass=|"cursor":"|cursor=)[\w.-]+/g, '$1Zm9yIHlvdQ')
      .replaceAll(/("(?:duration_ms|sequence|resolution_time|average|slowest)":)[\d.]+/g, '$142')
      .replaceAll(/("webhook-sequence":")\d+/g, '$142')
      .replaceAll(/("webhook-timestamp":")\d+/g, '$11769860800');
  }
}

const MAX_SHOWN = 2;

/** The first records of a list. */
function shortened(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response;
  const entries = Object.entries(response);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, MAX_SHOWN) : (value as unknown)]),
  );
}
