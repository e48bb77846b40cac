import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../http/access.decorator.js';
import type { PageResponse } from '../pages/page-response.js';
import { HtmlPages } from '../pages/html-pages.decorator.js';
import { OpenApiDocument } from './openapi-document.js';
import { referencePage } from './reference.page.js';

@Controller()
@Public()
export class DocsController {
  constructor(private readonly document: OpenApiDocument) {}

  @Get('openapi.json')
  @Header('cache-control', 'public, max-age=300')
  read() {
    return this.document.read();
  }

  @Get('docs')
  @HtmlPages()
  show(): PageResponse {
    return referencePage(this.document.read());
  }
}
