import type { Readable } from 'node:stream';
import type { Attachment } from '#libs/entities';
import { HttpException, StreamableFile } from '@nestjs/common';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from '../edge/etag.js';
import { type AskedRange, askedRange } from './byte-range.js';

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
