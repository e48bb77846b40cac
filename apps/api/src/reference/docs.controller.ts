import { existing } from '#libs/entities';
import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { Public } from '../layers/edge/caller.js';
import { HtmlPages } from '../layers/ui/html-pages.decorator.js';
import type { PageResponse } from '../layers/ui/page-response.js';
import { OpenApiService } from './openapi.service.js';
import { overviewPage, errorsPage, recordsPage } from './overview.page.js';
import { referenceOf } from './reference.js';
import { sectionPage } from './section.page.js';

@Controller()
@Public()
export class DocsController {
  constructor(private readonly document: OpenApiService) {}

  @Get('openapi.json')
  @Header('cache-control', 'public, max-age=300')
  read() {
    return this.document.read();
  }

  @Get('docs')
  @HtmlPages()
  show(@Query('q') wanted: unknown): PageResponse {
    return overviewPage(referenceOf(this.document.read()), typeof wanted === 'string' ? wanted : '');
  }

  @Get('docs/:section')
  @HtmlPages()
  showSection(@Param('section') name: string): PageResponse {
    const reference = referenceOf(this.document.read());
    if (name === 'errors') return errorsPage(reference);
    if (name === 'records') return recordsPage(reference);
    const section = reference.sections.find((one) => one.name === name);
    return sectionPage(reference, existing(section, 'page'));
  }
}
