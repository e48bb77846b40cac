import { Readable } from 'node:stream';
import { type Download, DownloadsService } from '#libs/tickets';
import { Controller, Get, Header, Param, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../edge/caller.js';
import { ApiDescription } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { type ByteRange, etagOf, fileResponse, isKnown, rangeOf } from './file-response.js';

class DownloadQueryDto {
  @ApiDescription('Part of the attachment’s `url`. Clients do not build it.') @IsOptional() @IsString() pass?: string;
}

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
    if (isKnown(request, attachment)) return void reply.status(304);
    const range = rangeOf(request, attachment);
    return fileResponse(reply, attachment, { content: await this.contentFor(request, download, range), range });
  }

  /** Otherwise the server would read the whole file to answer a HEAD. */
  private async contentFor({ method }: FastifyRequest, download: Download, range: ByteRange | null): Promise<Readable> {
    const content = await this.downloads.open(download, range ?? undefined);
    if (method !== 'HEAD') return content;
    content.destroy();
    return Readable.from([]);
  }
}
