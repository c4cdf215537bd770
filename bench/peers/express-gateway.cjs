// Express Gateway with its policies jwt and proxy, configured by the folder that is named; nothing is translated.
//
//   node express-gateway.cjs FOLDER
require('express-gateway')().load(process.argv[2]).run();
