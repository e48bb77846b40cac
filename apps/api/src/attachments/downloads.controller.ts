import { Readable } from 'node:stream';
import { type Download, DownloadsService } from '#libs/tickets';
import { Controller, Get, Header, Param, Query, Req, Res, StreamableFile, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../layers/edge/caller.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import type { Attachment } from '#libs/entities';
import { encodeExtended } from 'content-disposition';
import { etagMatches } from '../layers/edge/etag.js';
import { DownloadQueryDto } from './attachments.dto.js';

/** Public, because the URL is signed and expires soon. */
@Controller('downloads')
@Public()
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Get(':id')
  @Header('x-content-type-options', 'nosniff')
  @Header('content-security-policy', "default-src 'none'; sandbox")
  @Header('referrer-policy', 'no-referrer')
  async read(
    @Param('id', new IdentifierPipe('attachment')) id: string,
    @Query() query: DownloadQueryDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const download = await this.downloads.find(id, query.pass ?? '');
    const { attachment, secondsLeft } = download;
    void reply.header('etag', etagOf(attachment)).header('accept-ranges', 'bytes');
    void reply.header('cache-control', `private, max-age=${secondsLeft}`);
    if (etagMatches(request.headers['if-none-match'], etagOf(attachment))) return void reply.status(304);
    const range = rangeOf(request, attachment);
    return fileResponse(reply, attachment, { content: await this.contentFor(request, download, range), range });
  }

  /** Otherwise the server would read the whole file to respond to a HEAD. */
  private async contentFor({ method }: FastifyRequest, download: Download, range: ByteRange | null): Promise<Readable> {
    const content = await this.downloads.open(download, range ?? undefined);
    if (method !== 'HEAD') return content;
    content.destroy();
    return Readable.from([]);
  }
}

/** The bytes of an attachment never change. */
const etagOf = ({ id }: Attachment): string => `"${id}"`;

/** Null for the whole file. Ranges apply to GET only, and with `If-Range` only to the same bytes. */
function rangeOf({ method, headers }: FastifyRequest, attachment: Attachment): ByteRange | null {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etagOf(attachment))) return null;
  const range = parseRange(headers.range, attachment.size);
  if (range === 'none') throw notSatisfiable(attachment);
  return range;
}

/** Always a download, because a file must never run as a page of this origin. */
function fileResponse(
  reply: FastifyReply,
  attachment: Attachment,
  { content, range }: { content: Readable; range: ByteRange | null },
): StreamableFile {
  const { name, size } = attachment;
  if (range) void reply.status(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  return new StreamableFile(content, {
    type: attachment.servedType(),
    disposition: contentDisposition(name),
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

interface ByteRange {
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
