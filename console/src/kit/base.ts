// PatternFly's base styles. They are loaded before the console's styles, which override some of them.
import '@patternfly/react-core/dist/styles/base.css';
