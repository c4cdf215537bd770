// The ground that PatternFly's parts stand on. It comes before the styles of ours, which change some of it.
import '@patternfly/react-core/dist/styles/base.css';
