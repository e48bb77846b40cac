export { importFolder } from './import-folder.js';
