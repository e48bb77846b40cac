import { ApplicationsController } from './applications.controller.js';

export const APPLICATIONS = {
  controllers: [ApplicationsController],
};
