import type { ApiResponse, ApiClient } from './api-client.js';
import type { Desk } from './desk.js';

export interface TestFile {
  readonly name: string;
  readonly type?: string;
  readonly bytes: Uint8Array<ArrayBuffer> | string;
}

/** A multipart/form-data body as a program sends it. */
export function formOf(files: readonly TestFile[]): FormData {
  const form = new FormData();
  for (const { name, type = 'text/plain', bytes } of files) form.append('files', new Blob([bytes], { type }), name);
  return form;
}

export interface PostFilesOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a form, or raw bytes in place of one, to a message. */
export const postFiles = (
  desk: Desk,
  message: string,
  body: FormData | string,
  { token, headers = {} }: PostFilesOptions = {},
): Promise<ApiResponse> => desk.client(token).post(`/v1/messages/${message}/attachments`, body, headers);

/** One part, written by hand, for names that no client would send. */
export const rawForm = (header: string, text = 'hello'): { body: string; headers: Record<string, string> } => ({
  body: `--edge\r\n${header}\r\n\r\n${text}\r\n--edge--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
});

export function sendFile(client: ApiClient, path: string, text: string): Promise<ApiResponse> {
  const { body, headers } = rawForm('content-disposition: form-data; name="files"; filename="a.txt"', text);
  return client.post(path, body, headers);
}
