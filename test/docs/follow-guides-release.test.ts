import { followGuides } from './follow-guides.js';

followGuides('release');
