import { DownloadsService } from '#libs/desk';
import { Controller, Get, Header, Param, Query, Res } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Public } from '../../http/access.decorator.js';
import { ApiDescription } from '../../http/api-description.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { fileResponse } from './file-response.js';

class DownloadQueryDto {
  @ApiDescription('Part of the attachment’s `url`; not made by clients.') @IsOptional() @IsString() pass?: string;
}

/** Needs no token, because the address is signed and expires soon. */
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
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return fileResponse(reply, await this.downloads.open(id, query.pass ?? ''));
  }
}
