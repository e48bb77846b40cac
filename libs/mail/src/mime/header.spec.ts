import { describe, expect, it } from 'vitest';
import { Header } from './header.js';

const read = (text: string | Buffer) => {
  const bytes = Buffer.from(text as string);
  const { header, bodyStart } = Header.read(bytes);
  return { header, body: bytes.subarray(bodyStart).toString() };
};

describe('the header of an email', () => {
  it('ends at the first empty line, with any line ending', () => {
    for (const end of ['\r\n', '\n', '\r\r\n']) {
      const { header, body } = read(['Subject: Hello', 'To: a@b.test', '', 'Text: no field'].join(end));

      expect([header.first('subject'), header.first('to'), header.first('text'), body]).toEqual([
        'Hello',
        'a@b.test',
        undefined,
        'Text: no field',
      ]);
    }
  });

  it('has folded fields and repeated fields', () => {
    const { header } = read('Received: one\r\n\ttwo\r\nX: y\r\nreceived : three\r\nSubject:\r\n later\r\n\r\n');

    expect(header.all('received')).toEqual(['one\ttwo', 'three']);
    expect(header.first('subject')).toBe('later');
  });

  it('ends where a line is no field if the empty line is missing', () => {
    const { header, body } = read('Subject: Hello\nDear all,\nit is on fire: help\n');

    expect(header.first('subject')).toBe('Hello');
    expect(body).toBe('Dear all,\nit is on fire: help\n');
  });

  it('skips the line of a mailbox file, and continues after a truncated line', () => {
    const { header } = read('From ana@client.test Mon Mar  3 10:11:12 2025\nSubject: It is\non fire\nTo: a@b.test\n\n');

    expect(header.first('subject')).toBe('It is on fire');
    expect(header.first('to')).toBe('a@b.test');
  });

  it('decodes raw bytes as UTF-8, in the charset of the mail, or as windows-1252', () => {
    const koi = Buffer.concat([Buffer.from('Subject: '), Buffer.from([0xf0, 0xd2, 0xc9]), Buffer.from('\n\n')]);

    expect(read('Subject: Grüße\n\n').header.first('subject')).toBe('Grüße');
    expect(read(koi).header.in('koi8-r').first('subject')).toBe('При');
    expect(read(Buffer.from('Subject: Gr\xfc\xdfe\n\n', 'latin1')).header.first('subject')).toBe('Grüße');
    expect(read('Subject: \u001b$BF|K\\8l\u001b(B\n\n').header.first('subject')).toBe('日本語');
  });
});
