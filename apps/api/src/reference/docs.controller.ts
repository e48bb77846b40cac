import { existing } from '#libs/entities';
import { Controller, Get, Header, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../layers/edge/caller.js';
import { HtmlPages } from '../layers/ui/html-pages.decorator.js';
import type { PageResponse } from '../layers/ui/page-response.js';
import { BrowserSessionsService } from '../layers/sign-in/browser-sessions.service.js';
import { guidePage } from './guide.page.js';
import { readGuides } from './guides.js';
import { OpenApiService } from './openapi.service.js';
import { overviewPage, errorsPage, recordsPage } from './overview.page.js';
import { type ApiReference, MAX_SEARCH_CHARACTERS, referenceOf } from './reference.js';
import { sectionPage } from './section.page.js';

@Controller()
@Public()
export class DocsController {
  constructor(
    private readonly document: OpenApiService,
    private readonly browserSessions: BrowserSessionsService,
  ) {}

  @Get('openapi.json')
  @Header('cache-control', 'public, max-age=300')
  read() {
    return this.document.read();
  }

  @Get('docs')
  @HtmlPages()
  async show(@Req() request: FastifyRequest, @Query('q') wanted: unknown): Promise<PageResponse> {
    return overviewPage(
      await this.referenceFor(request),
      typeof wanted === 'string' ? wanted.slice(0, MAX_SEARCH_CHARACTERS) : '',
    );
  }

  @Get('docs/guides/:name')
  @HtmlPages()
  async showGuide(@Req() request: FastifyRequest, @Param('name') name: string): Promise<PageResponse> {
    const reference = await this.referenceFor(request);
    const guide = readGuides(reference.base).find(({ path }) => path === `/docs/guides/${name}`);
    return guidePage(reference, existing(guide, 'page'));
  }

  @Get('docs/:section')
  @HtmlPages()
  async showSection(@Req() request: FastifyRequest, @Param('section') name: string): Promise<PageResponse> {
    const reference = await this.referenceFor(request);
    if (name === 'errors') return errorsPage(reference);
    if (name === 'records') return recordsPage(reference);
    const section = reference.sections.find((one) => one.name === name);
    return sectionPage(reference, existing(section, 'page'));
  }

  private async referenceFor(request: FastifyRequest): Promise<ApiReference> {
    const session = await this.browserSessions.current(request);
    return referenceOf(this.document.read(), session?.csrf);
  }
}
