// Loads PatternFly's base styles. They precede the console's styles, which override some of them.
import '@patternfly/react-core/dist/styles/base.css';
