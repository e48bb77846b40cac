import type { Attachment } from '#libs/entities';
import { Links } from '#libs/payloads';
import { AttachmentsService } from '#libs/tickets';
import { Get, Param } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import type { PageResponse } from '../layers/ui/page-response.js';

/** Signs the URL on each click, because pages stay open longer than a signed URL is valid. */
@ConsolePages('attachments/:id')
export class InlineFilesController {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly links: Links,
  ) {}

  @Get()
  async download(@Me() me: Me, @Param('id', new IdentifierPipe('attachment')) id: string): Promise<PageResponse> {
    return this.toSignedAddress(await this.attachments.read(actingOf(me), id));
  }

  @Get('image')
  async show(@Me() me: Me, @Param('id', new IdentifierPipe('attachment')) id: string): Promise<PageResponse> {
    return this.toSignedAddress(await this.attachments.readImage(actingOf(me), id));
  }

  private toSignedAddress(attachment: Attachment): PageResponse {
    const { pathname, search } = new URL(this.links.download(attachment));
    return { redirect: `${pathname}${search}` };
  }
}
