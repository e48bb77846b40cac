import type { Readable } from 'node:stream';
import type { Attachment } from '#libs/entities';
import { HttpException, StreamableFile } from '@nestjs/common';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from '../edge/etag.js';

/** The bytes of an attachment never change, so its id tells one from every other. */
export const etagOf = ({ id }: Attachment): string => `"${id}"`;

/** The client has these bytes already. */
export const isKnown = ({ headers }: FastifyRequest, attachment: Attachment): boolean =>
  etagMatches(headers['if-none-match'], etagOf(attachment));

/** Only a GET has ranges. With `If-Range`, only one for the bytes that the client has begun with. */
export function rangeOf({ method, headers }: FastifyRequest, attachment: Attachment): AskedRange {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etagOf(attachment))) return { kind: 'whole' };
  const range = askedRange(headers.range, attachment.size);
  if (range.kind === 'none') throw notSatisfiable(attachment);
  return range;
}

/** Always as a download: a file must never run as a page of this origin. */
export function fileResponse(
  reply: FastifyReply,
  attachment: Attachment,
  { content, range }: { content: Readable; range: AskedRange },
): StreamableFile {
  const { size } = attachment;
  if (range.kind === 'part')
    void reply.status(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  return new StreamableFile(content, {
    type: attachment.servedType(),
    disposition: contentDisposition(attachment.name),
    length: range.kind === 'part' ? range.last - range.first + 1 : size,
  });
}

/** RFC 6266: the whole name for whoever reads `filename*`, and for the rest what of it stands in a quoted string. */
function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/g, '_').replace(/^\.+/, '_');
  return `attachment; filename="${plain}"; filename*=${encodeExtended(name)}`;
}

function notSatisfiable({ size }: Attachment): HttpException {
  const detail = `The file has ${size} bytes, and none of them was asked for.`;
  const headers = { 'content-range': `bytes */${size}` };
  return new HttpException({ error: 'range_not_satisfiable', detail, headers }, 416);
}

/** What a `Range` header asks for of a file (RFC 9110 section 14). */
export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'none' };

const WHOLE: AskedRange = { kind: 'whole' };
const NONE: AskedRange = { kind: 'none' };

/**
 * One range of bytes. Whatever else the header says is answered with the whole file, as the RFC lets a server do: other
 * units, several ranges, and what cannot be read.
 */
export function askedRange(header: string | undefined, size: number): AskedRange {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || `${from}${to}` === '') return WHOLE;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return WHOLE;
  return first < size ? { kind: 'part', first, last } : NONE;
}

/** Of a file without bytes these are all of them, and no part could be named. */
function lastBytes(count: number, size: number): AskedRange {
  if (count === 0) return NONE;
  return size === 0 ? WHOLE : { kind: 'part', first: Math.max(0, size - count), last: size - 1 };
}
