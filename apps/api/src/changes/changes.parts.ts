import { ChangeWaitsService } from './change-waits.service.js';
import { ChangesController } from './changes.controller.js';

export const CHANGES = {
  controllers: [ChangesController],
  providers: [ChangeWaitsService],
};
