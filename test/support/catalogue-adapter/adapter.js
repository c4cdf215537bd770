/* global log */
// An adapter like those of the public catalogue, written without knowledge of gatehouse.
const { EventEmitter } = require('node:events');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { PropertyUtility, RequestHandler } = require('@itentialopensource/adapter-utils');

class Inventory extends EventEmitter {
  constructor(id, properties) {
    super();
    this.id = id;
    this.healthy = false;
    const schema = JSON.parse(readFileSync(join(__dirname, 'propertiesSchema.json'), 'utf8'));
    const util = new PropertyUtility(id, __dirname);
    this.properties = util.mergeProperties(properties, util.setDefaults(schema));
    this.requestHandler = new RequestHandler(id, this.properties, __dirname);
    log.info(`${id}: home folder ${process.argv[5]}`);
  }

  connect() {
    this.emit('OFFLINE', { id: this.id });
    const { poll_ms: pause = this.properties.healthcheck.frequency } = this.properties;
    const { type } = this.properties.healthcheck;
    if (type === 'none') this.healthy = this.emit('ONLINE', { id: this.id });
    else this.healthCheck();
    if (type === 'intermittent') setInterval(() => this.healthCheck(), pause);
  }

  healthCheck() {
    this.requestHandler.identifyHealthcheck(null, (result, error) => {
      const healthy = !error;
      if (healthy !== this.healthy) this.emit(healthy ? 'ONLINE' : 'OFFLINE', { id: this.id });
      this.healthy = healthy;
    });
  }

  genericAdapterRequest(...request) {
    return this.requestHandler.genericAdapterRequest(...request);
  }

  getDevice(name, fields, callback) {
    if (name === '') {
      callback(null, this.requestHandler.formatErrorObject(this.id, 'getDevice', 'Missing Data', ['name']));
      return;
    }
    const query = fields === null ? {} : { fields };
    this.genericAdapterRequest(`/devices/${name}`, 'GET', query, null, {}, callback);
  }

  createDevice(device, callback) {
    this.genericAdapterRequest('/devices', 'POST', {}, device, {}, callback);
  }

  getText(callback) {
    this.genericAdapterRequest('/motd', 'GET', {}, null, {}, callback);
  }

  getRack(id, callback) {
    this.genericAdapterRequest(`/racks/${id}`, 'GET', {}, null, {}, callback);
  }

  waitForever() {
    log.debug(`${this.id}: waits`);
  }
}

module.exports = Inventory;
