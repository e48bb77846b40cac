import http from 'node:http';

/** One request as it goes out. */
export interface Outgoing {
  readonly method: string;
  /** As it stands in the request line, well formed or not. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Keeps the connection, as a browser does; otherwise it says that it will close. */
  readonly keepAlive?: boolean | undefined;
}

export interface Incoming {
  readonly status: number;
  /** As they came; one that is repeated stands repeatedly. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

interface Exchange {
  readonly outgoing: Outgoing;
  /** A stream without an end is read until this stands in it. */
  readonly until?: string | undefined;
  /** Called as soon as something of the answer is there. */
  readonly onOpen?: (() => void) | undefined;
}

/** `fetch` unpacks, follows and adds headers of its own; this does not. */
export function exchange(base: string, { outgoing, until, onOpen }: Exchange): Promise<Incoming> {
  const { hostname, port } = new URL(base);
  const { method, path, headers, body, keepAlive = false } = outgoing;
  return new Promise((resolve, reject) => {
    const agent = new http.Agent({ keepAlive });
    const request = http.request({ hostname, port, method, path, headers, agent, timeout: 60_000 }, (response) => {
      const chunks: Buffer[] = [];
      const done = (): void => {
        agent.destroy();
        resolve({
          status: response.statusCode ?? 0,
          headers: pairsOf(response.rawHeaders),
          body: Buffer.concat(chunks),
        });
      };
      response.on('data', (chunk: Buffer) => {
        if (chunks.length === 0) onOpen?.();
        chunks.push(chunk);
        if (until === undefined || !Buffer.concat(chunks).includes(until)) return;
        request.destroy();
        done();
      });
      response.on('end', done);
    });
    request.on('timeout', () => request.destroy(new Error(`${method} ${path} was not answered in a minute`)));
    request.on('error', (error) => {
      agent.destroy();
      reject(error);
    });
    request.end(body);
  });
}

/** Names and values by turns, as Node hands them over. */
export function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  const found: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) found.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  return found;
}

export interface Part {
  readonly name: string;
  readonly value: string;
  readonly file?: string;
  readonly type?: string;
}

/** A form with files. The boundary is always the same, so that what was sent can be compared too. */
export function multipart(parts: readonly Part[]): { type: string; body: Buffer } {
  const boundary = '----wire-boundary';
  const texts = parts.map(({ name, value, file, type }) => {
    const named = file === undefined ? '' : `; filename="${file}"`;
    const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n${typed}\r\n${value}\r\n`;
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(`${texts.join('')}--${boundary}--\r\n`),
  };
}
