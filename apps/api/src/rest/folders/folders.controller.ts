import { FOLDERS, FOLDER_IDS, type FolderId } from '#libs/desk';
import type { Page } from '#libs/lists';
import { Links } from '#libs/payloads';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { ListResponse } from '../../http/responses.js';

@Controller('v1/folders')
export class FoldersController {
  constructor(private readonly links: Links) {}

  @Get()
  @ApiOperation('List the built-in views of tickets', { list: ['folders', 'Folder'] })
  list() {
    return new ListResponse('folders', ALL, (id) => ({
      id,
      name: FOLDERS[id].name,
      links: { tickets: { href: this.links.ticketsOfFolder(id) } },
    }));
  }
}

const ALL: Page<FolderId> = {
  items: FOLDER_IDS,
  page: 1,
  perPage: 25,
  total: FOLDER_IDS.length,
  capped: false,
  next: null,
  previous: null,
};
