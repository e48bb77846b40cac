import type { Readable } from 'node:stream';
import type { Attachment } from '#libs/entities';
import { HttpException, StreamableFile } from '@nestjs/common';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from '../edge/etag.js';

/** The bytes of an attachment never change. */
export const etagOf = ({ id }: Attachment): string => `"${id}"`;

export const isKnown = ({ headers }: FastifyRequest, attachment: Attachment): boolean =>
  etagMatches(headers['if-none-match'], etagOf(attachment));

/** Null for the whole file. Ranges apply to GET only, and with `If-Range` only to the same bytes. */
export function rangeOf({ method, headers }: FastifyRequest, attachment: Attachment): ByteRange | null {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etagOf(attachment))) return null;
  const range = parseRange(headers.range, attachment.size);
  if (range === 'none') throw notSatisfiable(attachment);
  return range;
}

/** Always a download, because a file must never run as a page of this origin. */
export function fileResponse(
  reply: FastifyReply,
  attachment: Attachment,
  { content, range }: { content: Readable; range: ByteRange | null },
): StreamableFile {
  const { size } = attachment;
  if (range) void reply.status(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  return new StreamableFile(content, {
    type: attachment.servedType(),
    disposition: contentDisposition(attachment.name),
    length: range ? range.last - range.first + 1 : size,
  });
}

/** The full name in `filename*` and an ASCII fallback (RFC 6266). */
function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/g, '_').replace(/^\.+/, '_');
  return `attachment; filename="${plain}"; filename*=${encodeExtended(name)}`;
}

function notSatisfiable({ size }: Attachment): HttpException {
  const detail = `The file has ${size} bytes, none of them in the requested range.`;
  const headers = { 'content-range': `bytes */${size}` };
  return new HttpException({ error: 'range_not_satisfiable', detail, headers }, 416);
}

export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Parses one range of bytes (RFC 9110 section 14). Any other header selects the whole file, as the RFC permits. */
export function parseRange(header: string | undefined, size: number): ByteRange | 'none' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || `${from}${to}` === '') return null;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (last < first) return null;
  return first < size ? { first, last: Math.min(last, size - 1) } : 'none';
}

/** The suffix of an empty file is the whole file, because it has no parts. */
function lastBytes(count: number, size: number): ByteRange | 'none' | null {
  if (count === 0) return 'none';
  return size === 0 ? null : { first: Math.max(0, size - count), last: size - 1 };
}
