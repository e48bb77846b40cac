import fs from 'node:fs';

/** One line of a recording: a request with its answer, or something that arrived. */
export interface Entry {
  readonly scene: string;
  /** The request line, or what arrived where. */
  readonly line: string;
  /** What was asked for in words, where the line does not say it. */
  readonly about?: string;
  readonly as?: string;
  readonly sent?: string;
  readonly status?: number;
  readonly headers: readonly string[];
  readonly body: string;
}

export const readRecording = (file: string): Entry[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
